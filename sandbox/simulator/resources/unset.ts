import type { Resource } from './resource.ts';

/** Spellings of a date that says that nothing has happened. */
const dates = ['0001-01-01T00:00:00', '1900-01-01T00:00:00', '1753-01-01T00:00:00', 0, '', 'null'] as const;

/** Spellings of a flag that says the same. */
const flags = ['False', 0, '', 'null', 'false'] as const;

const orderDates = ['processDate', 'pickDoneDate', 'packDoneDate', 'onHoldDate'] as const;
const orderFlags = ['pickStarted', 'packStarted', 'fullyAllocated'] as const;

/** Writes into `readOnly` of an order what has not happened yet, in spellings that its id decides. */
export function withUnset(readOnly: Resource): Resource {
  const turn = Number(readOnly.orderId);
  const unset = (names: readonly string[], spellings: readonly unknown[]) =>
    names
      .map((name, index) => [name, spellings[(turn + index) % spellings.length]] as const)
      .filter(([name]) => !readOnly[name]);
  return { ...readOnly, ...Object.fromEntries([...unset(orderDates, dates), ...unset(orderFlags, flags)]) };
}
