import { format } from '../statistics.ts';
import type { SteadyRow } from './steady.ts';

/** Writes, as a table in Markdown, the milliseconds from webhook to announcement by contender and rate. */
export function latencyTable(rows: readonly SteadyRow[]): string {
  const rates = [...new Set(rows.map(({ perSecond }) => perSecond))];
  const names = [...new Set(rows.map(({ name }) => name))];
  return markdown(
    ['webhook to announcement, p50 / p99', ...rates.map((rate) => `${rate} a second`)],
    names.map((name) => [
      name,
      ...rates.map((rate) => {
        const row = rows.find((it) => it.name === name && it.perSecond === rate);
        return row === undefined ? '' : inWords(row);
      }),
    ]),
  );
}

/** An integration that falls behind has no latency but how long it was fed. */
const inWords = (row: SteadyRow): string => {
  const { p50Ms, p99Ms, reached, lost, outOfOrder } = row;
  const faults = [lost > 0 && `${format(lost)} lost`, outOfOrder > 0 && `${format(outOfOrder)} out of order`];
  const pace = isBehind(row)
    ? `${format(reached.median)} a second`
    : `${format(p50Ms.median)} / ${format(p99Ms.median)} ms`;
  return [pace, ...faults.filter(Boolean)].join(', ');
};

/** Reports whether announcements came at less than nine tenths of the rate. */
const isBehind = ({ reached, perSecond }: SteadyRow): boolean => reached.median < perSecond * 0.9;

/** Writes what an event costs likewise, in processor time of the process and of Temporal's server, wherever it keeps up, and how that compares with the least workflow. */
export function costTable(rows: readonly SteadyRow[]): string {
  const kept = rows.filter((row) => usesTemporal(row) && !isBehind(row));
  const rates = [...new Set(kept.map(({ perSecond }) => perSecond))];
  const names = [...new Set(kept.map(({ name }) => name))];
  const find = (name: SteadyRow['name'], rate: number) =>
    kept.find((row) => row.name === name && row.perSecond === rate);
  const costs = names.map((name) => [
    name,
    ...rates.map((rate) => {
      const row = find(name, rate);
      return row ? `${format(row.processMs.median)} + ${format(row.temporalMs.median)}` : '';
    }),
  ]);
  const ratios = rates.map((rate) => {
    const own = find('Dockline on SQLite, inline', rate);
    const least = find('least workflow on Temporal', rate);
    return own && least ? format(sumOf(own) / sumOf(least)) : '';
  });
  return markdown(
    ['milliseconds per event', ...rates.map((rate) => `${rate} a second`)],
    [...costs, ['together, Dockline on SQLite to the least', ...ratios]],
  );
}

const sumOf = ({ processMs, temporalMs }: SteadyRow): number => processMs.median + temporalMs.median;

const usesTemporal = ({ name }: SteadyRow): boolean => name !== 'queue (BullMQ)';

const markdown = (heading: readonly string[], rows: readonly (readonly string[])[]): string =>
  [heading, heading.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
