import { isSwept } from '../../../src/domain/catalogue/subject.ts';
import { kinds } from '../../../src/domain/kinds/kinds.ts';
import type { Shown } from '../kinds/kind.ts';
import { kindOf, type SubjectState } from '../kinds/kinds.ts';
import { addresses } from '../kinds/transaction.ts';
import type { Manners } from '../manners.ts';
import { inSomeForm } from './forms.ts';
import { type LocalTime, type Resource, relation } from './resource.ts';
import type { Sections } from './sections.ts';
import { withUnset } from './unset.ts';

/** Form of a warehouse's resources. */
export interface ResourceForm {
  readonly localTime: LocalTime;
  readonly manners: Manners;
}

/** Shows a subject with the requested sections. Sections of other kinds are ignored. */
export function showSubject(state: SubjectState, sections: Sections, { localTime, manners }: ResourceForm): Shown {
  const shown = showPlainly(state, sections, localTime);
  const body = shape(state, shown.body, manners);
  const hasForms = manners.realGoods && kindOf(state.kind).hasForms;
  return { ...shown, body: hasForms ? inSomeForm(body, Number(state.id)) : body };
}

/** Returns a resource in the shape that the manners give it. */
function shape({ kind, id }: SubjectState, resource: Resource, manners: Manners): Resource {
  if (manners.bareTransactions && isSwept(kind) && 'isIdGuessed' in kinds[kind]) {
    const { referenceNum, itemIdentifier, qty } = resource;
    const { [addresses[kind].idName]: movementId } = resource.readOnly as Resource;
    return { movementId, note: referenceNum, rows: [{ article: itemIdentifier, change: qty }] };
  }
  const { status, isClosed, ...facts } = (resource.readOnly ?? {}) as Resource;
  const { packages, ...others } = facts;
  const isReordered = manners.packagesFirst && packages !== undefined;
  const shown = {
    ...(!manners.omitStatus && status !== undefined && { status, isClosed }),
    ...(isReordered ? others : facts),
  };
  const { unset } = kindOf(kind);
  const readOnly = manners.unsetDates && unset ? withUnset(shown, unset, id) : shown;
  return {
    ...resource,
    ...(resource.readOnly !== undefined && { readOnly }),
    ...(isReordered && {
      _embedded: { [relation('orders/package')]: packages, ...(resource._embedded as Resource | undefined) },
    }),
  };
}

/** Shows a subject in the form that no manners change. */
export const showPlainly = (state: SubjectState, sections: Sections, localTime: LocalTime): Shown =>
  kindOf(state.kind).show(state, sections, localTime);
