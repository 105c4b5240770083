import { isObject, type Reader, readerOf } from '../../../base/json.ts';
import { linesIn } from '../../catalogue/rows.ts';
import type { Snapshot } from '../../lifecycle/snapshot.ts';
import { readFlag, readHappened, readId, readText } from '../../wire-values.ts';
import { exact } from '../section.ts';

export const orderState = (record: unknown, fact: Reader): Snapshot =>
  exact({
    fullyAllocated: readFlag(fact('fullyallocated')),
    pickDone: readHappened(fact('pickdonedate')) ?? false,
    packStarted: readHappened(fact('packstarted')) ?? false,
    packDone: readHappened(fact('packdonedate')) ?? false,
    lineCount: linesIn(record)?.length,
    pickJobId: pickJobIn(readerOf(record)('_links')),
  });

function pickJobIn(links: unknown): string | undefined {
  if (!isObject(links)) return undefined;
  const hrefs = Object.values(links)
    .flat()
    .map((link) => readText(readerOf(link)('href')) ?? '');
  return hrefs.map((href) => readId(/\/orders\/pickjobs\/([^/?#{}]+)/i.exec(href)?.[1])).find(Boolean);
}

/** JSON text by id, of an order that was parsed exactly. */
export function orderItemsIn(order: unknown): ReadonlyMap<string, string> {
  const lines = linesIn(order) ?? [];
  return new Map(lines.map((line) => [readId(readerOf(line)('readonly', 'orderitemid')) ?? '', JSON.stringify(line)]));
}
