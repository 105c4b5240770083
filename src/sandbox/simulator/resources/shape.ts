import type { SubjectKind } from '../../../domain/catalogue/subject.ts';
import type { Manners } from '../manners.ts';
import { type Resource, relation } from './resource.ts';

/** Manners that shape a resource. */
export type ResourceManners = Pick<Manners, 'omitStatus' | 'bareTransactions' | 'packagesFirst'>;

/** Returns a resource in the shape that the manners give it. */
export function shape(kind: SubjectKind, resource: Resource, manners: ResourceManners): Resource {
  if (manners.bareTransactions && (kind === 'adjustment' || kind === 'assembly')) return bare(resource);
  const { status, isClosed, ...facts } = (resource.readOnly ?? {}) as Resource;
  const { packages, ...others } = facts;
  const isReordered = manners.packagesFirst && packages !== undefined;
  const readOnly = {
    ...(!manners.omitStatus && status !== undefined && { status, isClosed }),
    ...(isReordered ? others : facts),
  };
  return {
    ...resource,
    ...(resource.readOnly !== undefined && { readOnly }),
    ...(isReordered && {
      _embedded: { [relation('orders/package')]: packages, ...(resource._embedded as Resource | undefined) },
    }),
  };
}

/** Another warehouse's idea of an adjustment: nothing is named as in other resources. */
function bare({ referenceNum, itemIdentifier, qty }: Resource): Resource {
  return { note: referenceNum, rows: [{ article: itemIdentifier, change: qty }] };
}
