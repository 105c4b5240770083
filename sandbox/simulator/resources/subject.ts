import { isSwept, kindOf, type SubjectKind } from '../../../src/domain/catalogue/subject.ts';
import type { Manners } from '../manners.ts';
import { lineOf, type OrderState } from '../state/order.ts';
import type { SubjectState } from '../state/subject.ts';
import type { MovementState } from '../state/transaction.ts';
import { inSomeForm } from './forms.ts';
import { itemPath, stockSummariesPath, toHoldResource, toItemResource, toStockResource } from './inventory.ts';
import { orderItemPath, toOrderItemResource, toOrderResource } from './order.ts';
import { capitalize, type LocalTime, type Resource, relation } from './resource.ts';
import type { Sections } from './sections.ts';
import { addresses, pathOf, toMovementResource } from './transaction.ts';
import { withUnset } from './unset.ts';

/** Subject or order line as the API shows it and messages name it. All names but an order's are a guess after those. */
interface Shown {
  /** `resource.rel` of a message. */
  readonly rel: string;
  readonly path: string;
  /** `data` of a message. */
  readonly ids: Readonly<Record<string, string>>;
  readonly body: Resource;
}

/** Form of a warehouse's resources. */
export interface ResourceForm {
  readonly localTime: LocalTime;
  readonly manners: Manners;
}

/** Shows a subject with the requested sections. Sections of other kinds are ignored. */
export function showSubject(state: SubjectState, sections: Sections, { localTime, manners }: ResourceForm): Shown {
  const shown = showPlainly(state, sections, localTime);
  const body = shape(state.kind, shown.body, manners);
  const isReal = manners.realGoods && (state.kind === 'order' || state.kind === 'receipt');
  return { ...shown, body: isReal ? inSomeForm(body, state.id) : body };
}

/** Returns a resource in the shape that the manners give it. */
function shape(kind: SubjectKind, resource: Resource, manners: Manners): Resource {
  if (manners.bareTransactions && isSwept(kind) && kindOf(kind).isIdGuessed) {
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
  const readOnly = manners.unsetDates && kind === 'order' ? withUnset(shown) : shown;
  return {
    ...resource,
    ...(resource.readOnly !== undefined && { readOnly }),
    ...(isReordered && {
      _embedded: { [relation('orders/package')]: packages, ...(resource._embedded as Resource | undefined) },
    }),
  };
}

/** Shows a subject in the form that no manners change. */
export function showPlainly(state: SubjectState, sections: Sections, localTime: LocalTime): Shown {
  const id = String(state.id);
  switch (state.kind) {
    case 'order':
      return { ...namesOf(state), body: toOrderResource(state, sections, localTime) };
    case 'item': {
      const ids = { ItemId: id, CustomerId: String(state.customer.id) };
      return { rel: 'customers/item', path: itemPath(state), ids, body: toItemResource(state, localTime) };
    }
    case 'stock': {
      const { facility, item, qualifier } = state;
      const ids = { FacilityId: String(facility.id), ItemId: String(item.id), Qualifier: qualifier };
      return { rel: 'inventory/stocksummary', path: stockSummariesPath, ids, body: toStockResource(state) };
    }
    case 'hold': {
      const path = `/inventory/receiveitems/${id}`;
      return { rel: 'inventory/receiveitem', path, ids: { ReceiveItemId: id }, body: toHoldResource(state) };
    }
    default:
      return { ...namesOf(state), body: toMovementResource(state, sections, localTime) };
  }
}

function namesOf(state: OrderState | MovementState): Omit<Shown, 'body'> {
  const { rel, idName } = addresses[state.kind];
  return { rel, path: pathOf(state), ids: { [capitalize(idName)]: String(state.id) } };
}

/** Shows an order line with the requested sections. */
export function showOrderItem(order: OrderState, orderItemId: string, { itemDetail }: Sections): Shown {
  const line = lineOf(order, orderItemId);
  return {
    rel: 'orders/item',
    path: orderItemPath(order, line),
    ids: { OrderId: String(order.id), OrderItemId: orderItemId },
    body: toOrderItemResource(order, line, itemDetail),
  };
}
