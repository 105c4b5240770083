import { describe, expect, it } from 'vitest';
import type { EventName } from '../../sandbox/simulator/kinds/kinds.ts';
import { type CatalogueEntry, catalogue, type Family } from '../../src/domain/catalogue/catalogue.ts';
import { retrievalOf } from '../../src/domain/catalogue/subject.ts';
import { useSystem } from '../support/shared-system.ts';

const families = Object.entries(Object.groupBy(catalogue, ({ subject }) => subject)) as [Family, CatalogueEntry[]][];

describe.each([
  ['without', []],
  ['with', ['Default']],
] as const)('%s the resource in the messages', (mode, resources) => {
  const shared = useSystem({ resources });

  it.each(families)('every event of a family is announced once: %s', async (subject, entries) => {
    const { simulator, announced, announcement, receiver } = shared();
    const kind = subject === 'orderItem' ? 'order' : subject;
    // Records of other kinds may be looked at again meanwhile.
    const gets = () => simulator.counts().calls[retrievalOf[kind] ?? ''];
    for (const { name, milestone, retrieves } of entries) {
      const id = simulator.create(kind);
      const before = gets();
      await simulator.emit(id, name as EventName);
      await expect
        .poll(() => announced(id, kind).map((text) => text.replace(/^\d+\//, '')), { message: name })
        .toContain(milestone);
      const { type, data } = await announcement(id, milestone, kind);
      expect(type).toBe(`dockline.${kind}.${milestone}`);
      expect(data).toMatchObject({ event: { name }, inferred: false, late: false });

      // The order of a pick list is not retrieved if the message names the pick job.
      const own = milestone === 'picked' ? 'pickList' : subject;
      // The message of a deleted subject has none.
      const isInMessage = mode === 'with' && milestone !== 'deleted' && own !== 'pickList';
      const hasResource = kind === 'stock' || retrieves.length > 0 || isInMessage;
      expect([name, data[own] !== null]).toEqual([name, hasResource]);
      if (milestone === 'deleted') expect(gets()).toBe(before);
    }
    expect(receiver.tally()).toMatchObject({ duplicates: 0, outOfOrder: 0 });
  });
});
