/**
 * Returns the CPU time of this thread, in milliseconds. Unlike wall-clock time it does not depend on other processes.
 */
export function cpuTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
