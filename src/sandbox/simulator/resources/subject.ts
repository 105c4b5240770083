import type { SubjectState } from '../state/subject.ts';
import type { LocalTime } from '../time-format.ts';
import { toHoldResource } from './hold.ts';
import { toItemResource } from './item.ts';
import { toMovementResource } from './movement.ts';
import { toOrderResource } from './order.ts';
import type { Resource } from './resource.ts';
import type { Sections } from './sections.ts';
import { toStockResource } from './stock.ts';

/** A subject as the API shows it, with those of its optional sections that were asked for; it ignores those of other kinds. */
export function toSubjectResource(state: SubjectState, sections: Sections, localTime: LocalTime): Resource {
  switch (state.kind) {
    case 'order':
      return toOrderResource(state, sections, localTime);
    case 'item':
      return toItemResource(state, localTime);
    case 'stock':
      return toStockResource(state);
    case 'hold':
      return toHoldResource(state);
    default:
      return toMovementResource(state, sections, localTime);
  }
}
