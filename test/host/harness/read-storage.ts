/** What a page in a browser keeps for the next one, as a script that runs in the page; for the runner and for tests. */

/** Gives the contents of each kind of storage as JSON. */
export const READ_STORAGE = `(async () => {
  const answerOf = (request) =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  const databases = [];
  for (const { name } of await indexedDB.databases()) {
    const database = await answerOf(indexedDB.open(name));
    for (const store of database.objectStoreNames) {
      const objects = database.transaction(store).objectStore(store);
      databases.push([name, store, await answerOf(objects.getAllKeys()), await answerOf(objects.getAll())]);
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
