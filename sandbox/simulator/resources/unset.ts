import type { Kind } from '../kinds/kind.ts';
import type { Resource } from './resource.ts';

/** Spellings of a date that says that nothing has happened. */
const dates = ['0001-01-01T00:00:00', '1900-01-01T00:00:00', '1753-01-01T00:00:00', 0, '', 'null'] as const;

/** Spellings of a flag that says the same. */
const flags = ['False', 0, '', 'null', 'false'] as const;

/** Writes into `readOnly` what has not happened yet, in spellings that the id decides. */
export function withUnset(readOnly: Resource, names: NonNullable<Kind['unset']>, id: number | string): Resource {
  const unset = (named: readonly string[], spellings: readonly unknown[]) =>
    named
      .map((name, index) => [name, spellings[(Number(id) + index) % spellings.length]] as const)
      .filter(([name]) => !readOnly[name]);
  return { ...readOnly, ...Object.fromEntries([...unset(names.dates, dates), ...unset(names.flags, flags)]) };
}
