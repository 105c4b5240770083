import { addresses, stockSummariesPath } from '../resources/address.ts';
import { type Resource, relation } from '../resources/resource.ts';
import { requestedSections } from '../resources/sections.ts';
import { toStockResource } from '../resources/stock.ts';
import { toSubjectResource } from '../resources/subject.ts';
import type { TransactionKind } from '../state/transaction.ts';
import type { Warehouse } from '../warehouse.ts';
import type { ApiOperation } from './operations.ts';
import type { Query } from './query.ts';

/** An operation that returns rows, page by page. */
export interface Listing {
  readonly operation: ApiOperation;
  readonly path: string;
  readonly pageSizeLimit: number;
  readonly sortable: boolean;
  /** What is not deleted, by its id; each row is the resource that a GET of it shows. */
  rows(warehouse: Warehouse, query: Query): readonly Resource[];
  /** The relation under which the rows are embedded; null for stock summaries, which are under `summaries`. */
  readonly relation: string | null;
}

const transactions = (operation: ApiOperation, kind: TransactionKind, pageSizeLimit: number): Listing => ({
  operation,
  path: addresses[kind].path,
  pageSizeLimit,
  sortable: true,
  rows: ({ book, localTime }, query) => {
    const sections = requestedSections(query);
    return book.list(kind).map((state) => toSubjectResource(state, sections, localTime));
  },
  relation: relation(addresses[kind].rel),
});

/** Every operation that returns rows. The limits of adjustments and assemblies are a guess after the receivers'. */
export const listings: readonly Listing[] = [
  transactions('getOrders', 'order', 1000),
  transactions('getReceivers', 'receipt', 500),
  transactions('getAdjustments', 'adjustment', 500),
  transactions('getAssemblies', 'assembly', 500),
  {
    operation: 'getStockSummaries',
    path: stockSummariesPath,
    pageSizeLimit: 500,
    sortable: false,
    rows: ({ book }) => book.list('stock').map(toStockResource),
    relation: null,
  },
];
