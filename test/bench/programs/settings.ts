/** A variable that a program of the benchmark is started with. */
export function setting(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set`);
  return value;
}

/** Resolves when the process is told to stop. */
export const stopped = (): Promise<void> => new Promise((resolve) => process.once('SIGTERM', () => resolve()));
