import { format, type Measured } from '../statistics.ts';
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
const inWords = ({ p50Ms, p99Ms, reached, perSecond, lost, outOfOrder }: SteadyRow): string => {
  const faults = [lost > 0 && `${format(lost)} lost`, outOfOrder > 0 && `${format(outOfOrder)} out of order`];
  const pace = isBehind(reached, perSecond)
    ? `${format(reached.median)} a second`
    : `${format(p50Ms.median)} / ${format(p99Ms.median)} ms`;
  return [pace, ...faults.filter(Boolean)].join(', ');
};

/** Reports whether announcements came at less than nine tenths of the rate. */
const isBehind = ({ median }: Measured, perSecond: number): boolean => median < perSecond * 0.9;

/** Writes what each event costs likewise, with the spread of the rounds. */
export const costTable = (rows: readonly SteadyRow[]): string =>
  markdown(
    [
      'single events',
      'a second',
      'p50',
      'p99',
      'answers p99',
      'announced a second',
      'processor an event',
      'of it the main thread',
      "Temporal's",
      'memory',
      'lost, out of order',
    ],
    rows.map((row) => [
      row.name,
      format(row.perSecond),
      ...[row.p50Ms, row.p99Ms, row.answerP99Ms].map((it) => `${spread(it)} ms`),
      format(row.reached.median),
      ...[row.processMs, row.mainThreadMs].map((it) => `${spread(it)} ms`),
      usesTemporal(row) ? `${spread(row.temporalMs)} ms` : '',
      `${format(row.memoryMb.median)} MB`,
      [row.lost, row.outOfOrder].map(format).join(', '),
    ]),
  );

const usesTemporal = ({ name }: SteadyRow): boolean => name !== 'queue (BullMQ)';

const spread = ({ median, min, max }: Measured): string =>
  min === max ? format(median) : `${format(median)} (${format(min)}–${format(max)})`;

const markdown = (heading: readonly string[], rows: readonly (readonly string[])[]): string =>
  [heading, heading.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
