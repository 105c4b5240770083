import type { Insertable } from 'kysely';
import type { Store } from '../../src/app/store.ts';
import type { SweptKind } from '../../src/domain/catalogue/subject.ts';
import type { Database } from '../../src/store/schema.ts';

/** Somebody whose rows are in the store; null for a customer that is not known. */
export interface Owner {
  readonly tenant: string;
  readonly customer: string | null;
}

type Rows = { readonly [Table in keyof Database]: Insertable<Database[Table]> };

/** Stores a row of an owner in every table, with a mark in it. */
export async function fillAs({ db }: Pick<Store, 'db'>, mark: string, owner: Owner): Promise<void> {
  for (const [table, row] of Object.entries(rowsOf(mark, owner)))
    await db
      .insertInto(table as keyof Database)
      .values(row)
      .execute();
}

function rowsOf(mark: string, { tenant, customer }: Owner): Rows {
  const subject = { tenant, kind: 'order', subject_id: mark } as const;
  const key = `order:${tenant}:${mark}`;
  const announcement = { ...subject, revision: 1, created_at: 1 };
  const sending = { announcement: `${key}/1/created`, destination: mark, tenant };
  const body = Buffer.from(mark);
  const number = Number.parseInt(Buffer.from(mark).toString('hex').slice(0, 6), 16);
  return {
    inbox: {
      event_id: `${mark}:1`,
      endpoint: 'warehouse',
      tenant,
      subject_key: key,
      event: null,
      quarantine_code: 'unreadable',
      quarantine_data: JSON.stringify({ why: mark }),
      received_at: 1,
      body,
      observed_at: null,
      customer_id: customer,
    },
    due: { subject_key: key, step: 'wake', at: 1, attempts: 0 },
    subjects: {
      ...subject,
      stage: 'created',
      stage_since: 1,
      revision: 1,
      lifecycle: '{}',
      customer_id: customer,
      last_event_at: 1,
      created_at: 1,
      updated_at: 1,
    },
    lead_times: { ...subject, customer_id: customer, closed_at: 1, sample: 0, waited: '{}' },
    notes: { ...subject, written_at: 1, token: 'lead', text: mark },
    search_terms: { ...subject, term: mark },
    resources: { tenant, kind: 'order', id: mark, body, retrieved_at: 1, customer_id: customer },
    announcements: { ...announcement, id: sending.announcement, summary: mark, customer_id: customer, body },
    outbox: { ...announcement, ...sending, tried_since: 1 },
    attempts: { ...sending, number: 1, at: 1, ms: 1, outcome: 'failed', answer: body },
    destinations: {
      tenant,
      id: mark,
      name: mark,
      settings: JSON.stringify({ customers: customer === null ? [] : [customer] }),
      updated_at: 1,
    },
    tokens: { credential: mark, sealed: body, obtained_at: 1 },
    processes: { id: mark, heartbeat_at: 1 },
    installation: { row: number + 1, id: mark },
    rate_slots: { warehouse: mark, slot: 0, free_at: 1 },
    answers: { tenant, operation: 'getOrder', outcome: mark, since: 1, at: 1 },
    page_limits: { tenant, kind: mark as SweptKind, reason: mark, since: 1, at: 1 },
    erasures: { ...subject, erased_at: 1, erased_by: 'lead', deliveries: 0, resources: 0, announcements: 0, notes: 0 },
    audit: { at: 1, token: mark, action: 'refresh', target_type: 'subject', target: key },
    bulk_actions: {
      action: 'refresh',
      filter: '{}',
      state: 'running',
      created_at: 1,
      created_by: `ana (${mark})`,
      token: mark,
      expires_at: 1,
      total: 0,
      sample: '[]',
    },
    alerts: {
      audience: mark,
      condition: 'warehouse-failing',
      about: mark,
      phase: 'open',
      since: 1,
      finding: '{}',
      notified: '{}',
    },
    alert_messages: { id: mark, channel: mark, made_at: 1, title: mark, news: '[]', next_try_at: 1 },
    alert_silences: { condition: mark as 'warehouse-failing', until: 1, silenced_by: mark },
    acknowledgements: { incident: mark, by: mark, at: 1, sort: mark, count: 1 },
    ended_sessions: { session: mark, ends_at: 1 },
    event_names: { key: mark, meaning: 'ignore', accepted_at: 1, accepted_by: mark },
    alert_watch: { id: number, leased_by: mark },
  };
}
