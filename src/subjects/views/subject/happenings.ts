import type { AnnouncementRow } from '../../../destinations/views/announcement-row.ts';
import { catalogue } from '../../../domain/catalogue/catalogue.ts';
import { type Milestone, milestoneIn } from '../../../domain/lifecycle/milestone.ts';
import type { Webhook } from '../../../inbox/views/webhook.ts';
import type { ShownSubject } from './read.ts';

/** GETs that were made together. */
export type Retrieval = ShownSubject['retrievals'][number];

/** With its webhook, GETs and announcements. */
export interface ChangeHappening {
  readonly type: 'change';
  readonly at: Date;
  readonly revision: number;
  readonly milestone: Milestone;
  readonly webhook: Webhook | undefined;
  readonly retrieval: Retrieval | undefined;
  readonly announcements: readonly [AnnouncementRow, ...AnnouncementRow[]];
}

export type Happening =
  | ChangeHappening
  | { readonly type: 'webhook'; readonly at: Date; readonly webhook: Webhook }
  | { readonly type: 'gets'; readonly at: Date; readonly retrievals: readonly [Retrieval, ...Retrieval[]] }
  | { readonly type: 'note'; readonly at: Date; readonly note: ShownSubject['notes'][number] };

const SHOWN = 100;

/** Between what was read for a change and the change. */
const STEP_MS = 60_000;

/** Oldest first; of the same moment, the earlier revision first. */
export function happeningsOf({ webhooks, announcements, retrievals, notes }: ShownSubject): readonly Happening[] {
  const told = new Set<Webhook>();
  const used = new Set<Retrieval>();
  const byId = [...Map.groupBy(announcements.slice(0, SHOWN), ({ id }) => id).values()];
  const changes = byId
    .toSorted(([a], [b]) => (a?.revision ?? 0) - (b?.revision ?? 0))
    .map((group): ChangeHappening => {
      const [first] = group as [AnnouncementRow];
      const at = first.createdAt;
      const milestone = milestoneIn(first.id);
      const webhook = closest(webhooks, (it) => !told.has(it) && milestoneOf(it) === milestone && it.observedAt, at);
      if (webhook) told.add(webhook);
      const isBefore = (it: Retrieval) => !used.has(it) && isQuiet(it) && it.at <= at && it.at;
      const retrieval = closest(retrievals, isBefore, at);
      if (retrieval) used.add(retrieval);
      return {
        type: 'change',
        at,
        revision: first.revision,
        milestone,
        webhook,
        retrieval,
        announcements: group as [AnnouncementRow],
      };
    });
  const others: readonly Happening[] = [
    ...webhooks
      .slice(0, SHOWN)
      .filter((it) => !told.has(it))
      .map((webhook) => ({ type: 'webhook' as const, at: webhook.receivedAt, webhook })),
    ...retrievals
      .filter((it) => !used.has(it))
      .map((it) => ({ type: 'gets' as const, at: it.at, retrievals: [it] as const })),
    ...notes.map((note) => ({ type: 'note' as const, at: note.at, note })),
  ];
  const all = [...changes, ...others].sort((a, b) => Number(a.at) - Number(b.at) || revisionOf(a) - revisionOf(b));
  return all.reduce<Happening[]>(fold, []);
}

const revisionOf = (it: Happening): number => (it.type === 'change' ? it.revision : 0);

const isQuiet = ({ refused, failure }: Retrieval): boolean => failure === null && refused.length === 0;

/** Successive ones without errors become one. */
function fold(all: Happening[], it: Happening): Happening[] {
  const last = all.at(-1);
  if (
    last?.type === 'gets' &&
    it.type === 'gets' &&
    [last, it].every(({ retrievals }) => retrievals.every(isQuiet)) &&
    dayOf(last.at) === dayOf(it.at)
  )
    all[all.length - 1] = { ...it, retrievals: [...last.retrievals, ...it.retrievals] };
  else all.push(it);
  return all;
}

export const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

/** Without what has no time, or is too far away. */
function closest<T>(all: readonly T[], timeOf: (it: T) => Date | null | false, at: Date): T | undefined {
  const near = all.flatMap((it) => {
    const time = timeOf(it);
    const distance = time ? Math.abs(time.getTime() - at.getTime()) : Number.POSITIVE_INFINITY;
    return distance <= STEP_MS ? [{ it, distance }] : [];
  });
  return near.sort((a, b) => a.distance - b.distance)[0]?.it;
}

const milestones = new Map(catalogue.map(({ name, milestone }) => [name, milestone]));

const milestoneOf = ({ event }: Webhook): Milestone | undefined => milestones.get(event ?? '');
