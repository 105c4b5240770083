import { readFileSync } from 'node:fs';

/** Settings of a unit of systemd by name, each with its lines in order. */
export type Unit = ReadonlyMap<string, readonly string[]>;

/** Reads a unit. */
export function readUnit(path: string): Unit {
  const settings = readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, name = '', value = ''] = /^(\w+)=(.*)$/.exec(line) ?? [];
      return name ? [{ name, value }] : [];
    });
  return new Map(
    Object.entries(Object.groupBy(settings, ({ name }) => name)).map(([name, lines = []]) => [
      name,
      lines.map(({ value }) => value),
    ]),
  );
}
