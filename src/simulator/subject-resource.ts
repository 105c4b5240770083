import { toMovementResource } from './movement-resource.ts';
import { toOrderResource } from './order-resource.ts';
import type { Resource } from './resource.ts';
import type { Sections } from './sections.ts';
import type { SubjectState } from './subject-state.ts';

/** A subject as the API shows it, with those of its optional sections that were asked for; it ignores those of other kinds. */
export function toSubjectResource(state: SubjectState, sections: Sections): Resource {
  return state.kind === 'order' ? toOrderResource(state, sections) : toMovementResource(state, sections);
}
