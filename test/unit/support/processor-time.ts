/**
 * What this thread took of a processor, in milliseconds: unlike the clock on the wall it does not run on while others
 * use the machine, so that it tells work that grows too fast, and nothing else.
 */
export function processorTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
