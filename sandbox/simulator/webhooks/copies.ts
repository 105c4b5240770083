import type { MannersHolder } from '../manners.ts';
import { createOccasions } from '../occasions.ts';
import { createStream } from '../random.ts';
import { noSections, type Sections } from '../resources/sections.ts';
import { customers } from '../state/directory.ts';
import type { Webhook } from './record.ts';

/** Spellings of an event's id that identify nothing. */
const unsetIds = ['0', '-1', -1, '00000000-0000-0000-0000-000000000000'] as const;

/** Creates the decisions about the messages of a tenant's events. */
export function createCopies(seed: number, tplId: number, manners: MannersHolder) {
  const stream = createStream(seed, `copies of ${tplId}`);
  const occasions = createOccasions(stream);
  let unset = 0;
  return {
    /** Returns the sections of each copy for a webhook: usually its own, or two copies if another webhook overlaps with it. */
    sectionsFor({ sections, customerId }: Webhook, customer: number): readonly (Sections | null)[] {
      if (!manners.current().overlapping || customerId !== null || customer !== customers[0].id) return [sections];
      const copies = [null, sections ?? noSections];
      return stream.chance(0.5) ? copies : copies.reverse();
    },
    /** Returns an id that identifies nothing, if the event is to have one; two messages about one event need its own. */
    unsetId(messages: number): (typeof unsetIds)[number] | undefined {
      const { unsetEventIds } = manners.current();
      if (messages !== 1 || !occasions.next({ unsetEventIds })) return undefined;
      unset += 1;
      return unsetIds[unset % unsetIds.length];
    },
  };
}
