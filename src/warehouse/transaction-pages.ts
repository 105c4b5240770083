import type { Paths } from '../domain/catalogue/paths.ts';
import type { Properties } from '../domain/catalogue/properties.ts';
import { retrievalOf } from '../domain/catalogue/subject.ts';
import { ownIdAt } from '../domain/own-id.ts';
import type { Read } from './client/answer.ts';
import type { Api } from './client/api.ts';
import { changedAtIn, rowsIn } from './client/listed-page.ts';
import { collections } from './client/listing.ts';
import type { Records } from './client/page-answer.ts';
import { createPageTrust } from './client/page-trust.ts';
import { createPages, type Pages } from './client/pages.ts';
import type { RetrievedSubject } from './gets.ts';
import { fillPath } from './resources/paths.ts';
import { readRecord } from './resources/record.ts';
import type { TransactionKind } from './resources/transaction.ts';

/** Loaders of the kinds that the warehouse lists. */
export type TransactionPages = Readonly<Record<TransactionKind, Pages<Omit<RetrievedSubject, 'body'>>>>;

/** Names and addresses of records, and what is to be done where the warehouse does not list them. */
export interface PageOptions {
  readonly paths: Paths;
  readonly properties: Properties;
  /** Parameters that ask for the optional sections of each kind. */
  readonly parameters: Readonly<Record<TransactionKind, readonly string[]>>;
  /** Creates the check that a record is the one with an id. */
  readonly prove: (kind: TransactionKind, id: string) => Read<void>;
  /** Timeout of a GET, in milliseconds. */
  readonly timeoutMs: number;
  /** Time until pages of many records are tried again that the warehouse did not answer as it should, in milliseconds. Default: ten minutes. */
  readonly pagesOffMs?: number;
  /** Maximum number of GETs per second. */
  readonly callsPerSecond: number;
  /** Returns the number of events that wait for others than those whose records are asked for. Default: none are known. */
  readonly othersWaiting?: (() => number) | undefined;
  /** Receives the reason why each record of a kind is asked for by itself, for people; undefined once it has ended. */
  readonly onPageLimitation?: (kind: TransactionKind, reason: string | undefined) => void;
}

/** Creates the loaders, which ask for each kind with the sections of its own GET. */
export function createTransactionPages(api: Api, options: PageOptions): TransactionPages {
  const { paths, properties, parameters, prove, timeoutMs, onPageLimitation, pagesOffMs = PAGES_OFF_MS } = options;
  const { callsPerSecond, othersWaiting = () => 0 } = options;
  const isCrowded = () => othersWaiting() > CROWD_S * callsPerSecond;
  const create = (kind: TransactionKind) => {
    const idPath = properties[`${kind}.id`];
    const { path: listed } = collections[kind];
    const operation = retrievalOf[kind];
    const listParameters = (ids: readonly string[]) =>
      String(new URLSearchParams({ pgsiz: String(ids.length), pgnum: '1', rql: `${idPath}=in=(${ids.join(',')})` }));
    const trust = createPageTrust({
      timeoutMs,
      offMs: pagesOffMs,
      onLimitation: (reason) => onPageLimitation?.(kind, reason),
    });
    const records: Records<Omit<RetrievedSubject, 'body'>> = {
      one: (id) => ({ operation, path: fillPath(paths[operation], { id }, parameters[kind]) }),
      many: (ids) => ({
        operation: listed,
        path: fillPath(paths[listed], {}, [...listParameters(ids).split('&'), ...parameters[kind]]),
      }),
      readOne: (id) => (record) => {
        prove(kind, id)(record);
        return readRecord(kind, record);
      },
      rowsIn: (page) => rowsIn(kind, page),
      idOf: (record) => ownIdAt(record, idPath),
      changedAt: (record) => changedAtIn(record, properties[`${kind}.changed`]),
    };
    return createPages(api, records, trust, isCrowded);
  };
  return {
    order: create('order'),
    receipt: create('receipt'),
    adjustment: create('adjustment'),
    assembly: create('assembly'),
  };
}

/** Events that wait are a crowd if their GETs, one for each, would use up the rate for so many seconds. */
const CROWD_S = 4;

/** Time until pages are tried again that the warehouse did not answer as it should, in milliseconds. */
const PAGES_OFF_MS = 600_000;
