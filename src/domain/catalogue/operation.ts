import type { Operations } from '../kinds/kind.ts';
import { directoryOperations, kinds } from '../kinds/kinds.ts';
import type { SubjectKind, SweptKind } from './subject.ts';

type Kinds = typeof kinds;
type OperationOfKind = { readonly [K in SubjectKind]: keyof Kinds[K]['operations'] }[SubjectKind];
type ListingOperation = { readonly [K in SweptKind]: Kinds[K]['listing']['operation'] }[SweptKind];

/** Of one record, or of the row of what has no id. */
export type Operation = Exclude<OperationOfKind, ListingOperation> | keyof typeof directoryOperations;

export type OwnOperation = NonNullable<Kinds[SubjectKind]['retrieval']>;

export type PathName = OperationOfKind | Operation | 'token' | 'webhookKey';

export type Paths = Readonly<Record<PathName, string>>;

const operations: Operations = Object.assign(
  {},
  ...Object.values(kinds).map((kind) => kind.operations),
  directoryOperations,
);

export const standardPaths = {
  token: '/AuthServer/api/Token',
  webhookKey: '/events/webhook/key',
  ...Object.fromEntries(Object.entries(operations).map(([name, { path }]) => [name, path])),
} as Paths;

export const placeholdersOf = (path: string): string[] => [...path.matchAll(/\{(\w*)\}/g)].map(([, name = '']) => name);

export function resultsOf(operation: PathName) {
  const { returns: several, part } = operations[operation] ?? { returns: 'lists' };
  return { several, part };
}

export function resultOf(operation: string, isForSeveral: boolean): string {
  const { several, part } = resultsOf(operation as PathName);
  if (part) return part;
  return isForSeveral ? several : several.replace(/ies$/, 'y').replace(/s$/, '');
}

/** The specification names roles after operations: `getOrdersPicklist` is `Get Orders Picklist`. */
export const roleOf = (operation: PathName): string =>
  operation.replace(/^g/, 'G').replaceAll(/(?<=[a-z])([A-Z])/g, ' $1');
