import { readerOf } from '../base/json.ts';
import type { Paths } from '../domain/catalogue/operation.ts';
import type { Properties } from '../domain/catalogue/properties.ts';
import { retrievalOf, type SweptKind, sweptKinds } from '../domain/catalogue/subject.ts';
import { kinds } from '../domain/kinds/kinds.ts';
import { readRecord } from '../domain/kinds/record.ts';
import { factReader } from '../domain/kinds/transaction.ts';
import { ownIdAt, readFlag } from '../domain/wire-values.ts';
import type { Read } from './client/answer.ts';
import type { Api } from './client/api.ts';
import { changedAtIn, type Records, rowsIn } from './client/page-answer.ts';
import { PageTrust } from './client/page-trust.ts';
import { Pages } from './client/pages.ts';
import { fillPath } from './client/transport.ts';

export type TransactionPages = Readonly<Record<SweptKind, Pages>>;

export interface PageOptions {
  readonly paths: Paths;
  readonly properties: Properties;
  readonly parameters: { readonly [K in SweptKind]?: readonly string[] };
  readonly prove: (kind: SweptKind, id: string) => Read<void>;
  readonly pagesOffMs?: number;
  readonly othersWaiting?: (() => number) | undefined;
  /** For people; undefined once the reason has ended. */
  readonly onPageLimitation?: (kind: SweptKind, reason: string | undefined) => void;
}

/** Asks for each kind with the sections of its own GET. */
export function createTransactionPages(api: Api, options: PageOptions): TransactionPages {
  const { paths, properties, parameters, prove, onPageLimitation, pagesOffMs = PAGES_OFF_MS } = options;
  const { othersWaiting = () => 0 } = options;
  const create = (kind: SweptKind) => {
    const idPath = properties[`${kind}.id`];
    const { operation: listed } = kinds[kind].listing;
    const sections = parameters[kind] ?? [];
    const operation = retrievalOf[kind];
    const listParameters = (ids: readonly string[]) =>
      String(new URLSearchParams({ pgsiz: String(ids.length), pgnum: '1', rql: `${idPath}=in=(${ids.join(',')})` }));
    const trust = new PageTrust({
      offMs: pagesOffMs,
      onLimitation: (reason) => onPageLimitation?.(kind, reason),
    });
    const records: Records = {
      one: (id) => ({ operation, path: fillPath(paths[operation], { id }, sections) }),
      many: (ids) => ({
        operation: listed,
        path: fillPath(paths[listed], {}, [...listParameters(ids).split('&'), ...sections]),
      }),
      readOne: (id) => (record) => {
        prove(kind, id)(record);
        return {
          ...readRecord(kind, record, properties),
          changedAt: changedAtIn(record, properties[`${kind}.changed`]),
          isDeferred: readFlag(factReader(readerOf(record))('defernotification')),
        };
      },
      rowsIn: (page) => rowsIn(kind, page),
      idOf: (record) => ownIdAt(record, idPath),
    };
    return new Pages(api, records, trust, othersWaiting);
  };
  return Object.fromEntries(sweptKinds.map((kind) => [kind, create(kind)])) as TransactionPages;
}

/** Time until pages that failed are tried again. */
const PAGES_OFF_MS = 600_000;
