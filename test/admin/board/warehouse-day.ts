import type { Store } from '../../../src/app/store.ts';
import { record } from '../../destinations/record.ts';
import { entryOf, orderOf, quarantinedEntry, toDefault, unleased } from '../../support/make.ts';

const HOUR = 3_600_000;

/** Texts that would break a careless page. */
export const hostile = {
  markup: `"><script>document.title = 'owned'</script><img src=x onerror="document.title='owned'">`,
  direction: '\u202eDLROW\u2066 مرحبا بالعالم',
  // Axe looks at each of its characters.
  long: 'W'.repeat(1_000),
} as const;

const answered = {
  requestHeaders: { 'webhook-id': hostile.markup },
  status: 503,
  answer: Buffer.from(`${hostile.markup}\n${hostile.direction}\0`),
};

/** Fills a store with orders in each stage, one of them with hostile texts in every field, and with everything that can be wrong. */
export async function playDay(store: Store): Promise<{ readonly quarantined: number; readonly deadLetter: string }> {
  const now = store.now();
  const at = (hoursAgo: number) => now - hoursAgo * HOUR;
  const seen = (milestone: 'created' | 'picked' | 'packed' | 'confirmed' | 'stalled', hoursAgo: number) => ({
    milestone,
    time: at(hoursAgo),
    eventId: null,
  });
  await record(store, 'order:9104:1', {
    stageSince: at(3),
    lastEventTime: at(3),
    milestones: ['created', 'picked'],
    registers: {
      existence: seen('created', 5),
      pick: seen('picked', 3),
      'itemPick:77': { milestone: 'itemPicked', time: at(4), eventId: null },
    },
    snapshot: { referenceNumber: 'PO-1', customerId: '418', customerName: 'Alder Tea Company', lineCount: 2 },
  });
  await record(store, 'order:9104:2', {
    stageSince: at(30),
    refused: Object.values(hostile).map((message) => ({ operation: 'getOrder' as const, message, since: at(2) })),
    registers: { pack: seen('packed', 30), attention: seen('stalled', 1) },
    snapshot: {
      referenceNumber: hostile.long,
      customerId: hostile.markup,
      customerName: hostile.direction,
      facilityId: hostile.direction,
      facilityName: hostile.markup,
    },
  });
  await record(store, 'order:9104:3', { stageSince: at(1), registers: { closing: seen('confirmed', 1) } });
  const [deadLetter = ''] = await record(store, 'receipt:9104:4', { stageSince: at(2) });
  for (const outcome of ['refused', 'failed'] as const)
    await store.outbox.failed(unleased(deadLetter), {
      outcome,
      status: 503,
      ms: 12,
      error: `answered 503 ${hostile.markup}`,
      exchange: answered,
    });
  await store.outbox.deadLetter(toDefault(deadLetter), `answered 503 ${hostile.markup}`);
  await store.activityFailures.note(orderOf('5'), 'retrieving', {
    operation: 'getOrder',
    error: `GET failed: ${hostile.markup}`,
    nextTryAt: now + HOUR,
  });
  await store.inbox.add([
    ...[7, 8].map((event) => ({ ...entryOf('1', event), receivedAt: at(5), body: Buffer.from(hostile.markup) })),
    { ...entryOf('2', 9), event: { ...entryOf('2', 9).event, name: hostile.markup } as never, receivedAt: at(4) },
    {
      ...quarantinedEntry('9104:10', hostile.markup),
      receivedAt: at(1),
      body: Buffer.from([0xff, 0xfe, 0x00]),
    },
  ]);
  const [quarantined] = await store.db.selectFrom('inbox').select('id').where('event_id', '=', '9104:10').execute();
  return { quarantined: quarantined?.id ?? 0, deadLetter };
}

/** Stores three bulk actions: a preview, one that is under way, and one that is over, with a failure. */
export async function playBulk({ bulk }: Store): Promise<void> {
  const sample = ['order:9104:1', 'order:9104:2'];
  const create = () =>
    bulk.create({
      action: 'refresh',
      filter: JSON.stringify({ customer: hostile.markup }),
      created_at: Date.now(),
      created_by: hostile.direction,
      token: 'lead',
      expires_at: Date.now() + HOUR,
      total: sample.length,
      sample: JSON.stringify(sample),
    });
  const actor = { token: 'lead', operator: 'ana' };
  await create();
  const running = await create();
  await bulk.confirm(running, actor);
  await bulk.note(running, 'Temporal does not answer now.', 60_000);
  const over = await create();
  await bulk.confirm(over, actor);
  const [begun] = await bulk.take();
  if (begun?.id !== over) throw new Error('another bulk action runs');
  const failures = [{ target: 'order:9104:2', error: hostile.markup }];
  await bulk.record(begun, 'the second', { done: 1, asked: 0, failures });
  await bulk.finish(over);
}
