import type { SubjectKind } from '../../../domain/catalogue/subject.ts';
import type { Manners } from '../manners.ts';
import type { ResourceForm } from '../resources/subject.ts';
import type { SubjectState } from '../state/subject.ts';
import type { Warehouse } from '../warehouse.ts';

/** Warehouse as its API shows it now, which may be some time behind. */
export interface View extends ResourceForm {
  readonly find: (id: number) => SubjectState | undefined;
  readonly list: <K extends SubjectKind>(kind: K) => readonly (SubjectState & { readonly kind: K })[];
}

/** Returns the view of a warehouse at this moment. */
export function viewOf({ book, localTime }: Warehouse, manners: Manners): View {
  const at = Date.now() - manners.readLagMs;
  return { localTime, manners, find: (id) => book.find(id, at), list: (kind) => book.list(kind, at) };
}
