import { parseSince } from '../reconcile-options.ts';
import type { AdminClient } from './client.ts';
import { type AdminCommand, type AdminOptions, UsageError } from './options.ts';
import * as tables from './tables.ts';

type Asked = Pick<AdminOptions, 'words' | 'values'>;

/** What came of a command, for machines and for people. */
export interface Outcome {
  readonly answer: unknown;
  readonly text: string;
}

/** Does what a command says. Rejects with a message for the user. */
export async function runAdminCommand(command: AdminCommand, asked: Asked, client: AdminClient): Promise<Outcome> {
  return await actions[command](client, asked);
}

const actions: Readonly<Record<AdminCommand, (client: AdminClient, asked: Asked) => Promise<Outcome>>> = {
  status: async (client) => tell(await client.get('/status'), tables.describeStatus),

  subjects: async (client, { values }) => tell(await client.get('/subjects', values), tables.listSubjects),

  show: async (client, asked) => tell(await client.get(await findSubject(client, asked)), tables.describeSubject),

  refresh: async (client, asked) =>
    tell(await client.post(`${await findSubject(client, asked)}/refresh`), tables.describeView),

  release: async (client, asked) =>
    tell(await client.post(`${await findSubject(client, asked)}/release`), tables.describeView),

  quarantine: async (client, { words: [id], values }) => {
    if (id !== undefined) return tell(await client.get(`/quarantine/${encodeURIComponent(id)}`), tables.describeBody);
    const answer = await client.get('/quarantine', values);
    return tell(answer, values.summary ? tables.listReasons : tables.listQuarantinedEvents);
  },

  replay: async (client, { words: [id], values: { since, reason } }) => {
    const answer =
      id === undefined
        ? await client.post('/quarantine/replay', { ...sinceOf(since), ...(reason !== undefined && { reason }) })
        : await client.post(`/quarantine/${encodeURIComponent(id)}/replay`);
    return tell(answer, ({ ingested }) => `${ingested} ingested; the rest stays quarantined.`);
  },

  announcements: async (client, { words: [id], values: { since, ...values } }) =>
    id === undefined
      ? tell(await client.get('/announcements', { ...values, ...sinceOf(since) }), tables.listAnnouncements)
      : tell(await client.get(`/announcements/${encodeURI(id)}`), tables.describeBody),

  resend: async (client, { words: [id], values: { since } }) => {
    if ((id === undefined) === (since === undefined)) throw new UsageError('resend takes either an id or --since');
    const answer =
      id === undefined
        ? await resendAll(client, sinceOf(since))
        : await client.post(`/announcements/${encodeURI(id)}/resend`);
    return tell(
      answer,
      ({ asked }) => `${asked} are being sent again; those that their destination refuses are dead-lettered again.`,
    );
  },
};

// biome-ignore lint/suspicious/noExplicitAny: each table says what it shows
const tell = (answer: any, describe: (answer: any) => string): Outcome => ({ answer, text: describe(answer) });

function sinceOf(since: string | undefined): { readonly since?: string } {
  if (since === undefined) return {};
  try {
    return { since: new Date(parseSince(since, Date.now())).toISOString() };
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** A call takes as many as Temporal can be told of in a moment; the next goes on behind it. */
async function resendAll(client: AdminClient, since: { readonly since?: string }): Promise<{ readonly asked: number }> {
  let asked = 0;
  let next: string | null = null;
  do {
    const page = await client.post('/announcements/resend', { ...since, limit: 500, ...(next && { after: next }) });
    asked += page.asked;
    next = page.next;
  } while (next);
  return { asked };
}

/** The path of the subject that is named; its tenant has to be said only where several have one of that id. */
async function findSubject(client: AdminClient, { words: [kind, id], values }: Asked): Promise<string> {
  const { items } = await client.get('/subjects', { kind, id, ...values });
  const [only, other] = items as readonly { readonly tenant: string }[];
  if (!only) throw new Error(`nothing is known of the ${kind} ${id}`);
  if (other) {
    const tenants = (items as { readonly tenant: string }[]).map(({ tenant }) => tenant).join(', ');
    throw new UsageError(`several have a ${kind} ${id}; --tenant has to say which: ${tenants}`);
  }
  return `/subjects/${[only.tenant, kind, id].map((part) => encodeURIComponent(part ?? '')).join('/')}`;
}
