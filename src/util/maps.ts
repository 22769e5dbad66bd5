/** Values that are created when they are first needed, and the most frequent of several values. */

/** Returns the value of a key; without one, stores and returns that of `create`. */
export function getOrCreate<Key, Value>(
  map: { get(key: Key): Value | undefined; set(key: Key, value: Value): unknown },
  key: Key,
  create: () => Value,
): Value {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = create()));
  return value;
}

/** Returns a function that calls `create` once per object, for as long as that exists. */
export function cachedByObject<Key extends object, Value>(create: (key: Key) => Value): (key: Key) => Value {
  const values = new WeakMap<Key, Value>();
  return (key) => getOrCreate(values, key, () => create(key));
}

/** Returns the most frequent value, the first one of equally frequent ones; `undefined` without any. */
export function mostFrequent<Value>(values: readonly Value[]): Value | undefined {
  const [most] = [...Map.groupBy(values, (value) => value).values()].sort((a, b) => b.length - a.length);
  return most?.[0];
}
