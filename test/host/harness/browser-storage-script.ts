/** A script that reads all browser storage of the page that it runs in. */

/** Returns the contents of each kind of storage as JSON. */
export const READ_STORAGE = `(async () => {
  const resultOf = (request) =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  const databases = [];
  for (const { name } of await indexedDB.databases()) {
    const database = await resultOf(indexedDB.open(name));
    for (const store of database.objectStoreNames) {
      const objects = database.transaction(store).objectStore(store);
      databases.push([name, store, await resultOf(objects.getAllKeys()), await resultOf(objects.getAll())]);
    }
    database.close();
  }
  return {
    local: JSON.stringify(localStorage),
    session: JSON.stringify(sessionStorage),
    databases: JSON.stringify(databases),
    cookies: document.cookie,
  };
})()`;
