import { z } from 'zod';
import { personOf } from '../admin/access.ts';
import { type Action, actionsWith } from '../admin/action.ts';
import { describeActor, done } from '../admin/audit.ts';
import { subjectAddress } from '../admin/board/addresses.ts';
import { count } from '../admin/views/view.ts';
import { plural } from '../base/text.ts';
import { isOver } from '../domain/lifecycle/stage.ts';
import { Problem } from '../http/problem.ts';
import { type NoteParts, noteActions } from './note-actions.ts';
import { refresh, type SubjectControl } from './refresh.ts';
import { ofSubject, onSubject } from './subject-target.ts';
import type { Erasable, Erasures } from './tables/erasures.ts';
import type { Taking } from './tables/taking.ts';
import { erasureCounts, liveView, type ShownSubject } from './views/subject/read.ts';
import { subjectRow } from './views/subject/row.ts';

const ASKED = 'asked, no answer yet';

const accepted = z.object({
  status: z.string(),
  outcome: z.enum(['failed', 'asked']).exactOptional().describe('What is known of the GET, which is retried.'),
});

export interface SubjectParts extends NoteParts {
  readonly taking: Taking;
  readonly control: SubjectControl;
  readonly erasures: Erasures;
}

type SubjectAction = Action<SubjectParts, ShownSubject>;

const defineAction = actionsWith<SubjectParts, ShownSubject>();

const refreshSubject = defineAction({
  ...ofSubject('refresh'),
  id: 'refreshSubject',
  summary: 'Fetches a subject from the warehouse now',
  description:
    'Use it when a subject looks outdated: asks the warehouse and answers with the new state. 202 if the warehouse has not answered yet or failed; it is then asked again without further calls. 404 if nothing is known of the subject, 409 if none of its workflows can be started.',
  answers: { 200: { SubjectView: liveView }, 202: { Accepted: accepted } },
  problems: [404, 409],
  run: (deps, subject) => refresh(subject, deps),
  audit: {
    action: 'refresh',
    target: onSubject,
    end(refreshed) {
      if (refreshed.outcome === 'failed') return { outcome: 'failed', detail: refreshed.reason };
      return refreshed.outcome === 'asked' ? { outcome: null, detail: ASKED } : done(null);
    },
  },
  answer(refreshed) {
    if (refreshed.outcome === 'done') return { status: 200, answer: refreshed.view };
    const status =
      refreshed.outcome === 'failed'
        ? `The refresh failed; Dockline keeps trying. ${refreshed.reason}`
        : 'The warehouse has not answered yet; Dockline keeps trying.';
    return { status: 202, answer: { status, outcome: refreshed.outcome } };
  },
  back: subjectAddress,
  notices: {
    'refresh-done': 'Refreshed from the warehouse.',
    'refresh-asked': 'The warehouse has not answered yet. Its answer will appear here.',
    'refresh-failed': 'The refresh failed, for the reason below. Dockline keeps trying.',
  },
  noticeOf: ({ outcome = 'done' }) => `refresh-${outcome}`,
  button: () => ({ label: 'Refresh', hint: 'Fetches it from the warehouse now' }),
});

const changeMarks = (
  change: 'release' | 'undoRelease',
  {
    name,
    ...named
  }: Pick<SubjectAction, 'id' | 'summary' | 'description' | 'notices' | 'button'> & {
    readonly name: 'release' | 'undo-release';
  },
): SubjectAction =>
  defineAction({
    ...named,
    ...ofSubject(name),
    answers: { 200: { SubjectView: liveView } },
    problems: [404, 409],
    async run({ control }, subject, { actor }) {
      const view = await control[change](subject, describeActor(actor));
      if (view) return view;
      throw new Problem(409, 'It has no running workflow, which would record that.');
    },
    audit: { action: name, target: onSubject },
    back: subjectAddress,
  });

const releaseSubject = changeMarks('release', {
  name: 'release',
  id: 'releaseSubject',
  summary: 'Clears what marks a subject as needing attention',
  description:
    'Use it once you have dealt with the cause: the marks go, until there is a new reason. Nothing is announced. 404 if nothing is known of the subject, 409 if no workflow of it runs.',
  notices: { released: 'Attention cleared.' },
  button: ({ attention }) =>
    attention.some((it) => it !== 'failing')
      ? { label: 'Clear attention', hint: 'Clears it until there is a new reason' }
      : undefined,
});

const undoReleaseSubject = changeMarks('undoRelease', {
  name: 'undo-release',
  id: 'undoReleaseSubject',
  summary: 'Undoes the clearing of attention',
  description:
    'Brings back the marks of the last clearing whose reason still holds. Repeating it changes nothing. 404 if nothing is known of the subject, 409 if no workflow of it runs.',
  notices: { 'release-undone': 'Attention restored, except for what has been resolved since.' },
  button: ({ cleared }) =>
    cleared.length > 0 ? { label: 'Undo clearing', hint: 'Restores the attention that was cleared' } : undefined,
});

const eraseSubject = defineAction({
  ...ofSubject('erase'),
  id: 'eraseSubject',
  summary: 'Erases personal data of a subject, or only counts it',
  description:
    'Removes what names people from webhooks, records, announcements and notes, for a request for erasure. With `dryRun` it only counts. It cannot be undone. 404 if nothing is known of the subject, 409 if events wait to be recorded or announcements are not sent; `unsent` erases the latter as well.',
  body: z.strictObject({
    dryRun: z.boolean().default(false).describe('Only counts what would be erased.'),
    unsent: z.boolean().default(false).describe('Also erases announcements that are not sent yet.'),
  }),
  answers: { 200: { Erased: z.object({ isErased: z.boolean(), ...erasureCounts, waiting: count, unsent: count }) } },
  problems: [404, 409],
  preview: ({ erasures }, subject, { dryRun }) =>
    dryRun ? erasures.preview(subject).then((counts) => ({ isErased: false, ...counts })) : undefined,
  async run({ erasures }, subject, { body: { unsent }, actor }) {
    const erased = await erasures.erase(subject, { by: describeActor(actor), unsent });
    if (erased.isErased) return erased;
    throw new Problem(409, explain(erased));
  },
  audit: {
    action: 'erase',
    target: onSubject,
    end: (it) => done(describeErased(it)),
  },
});

const describeErased = ({
  deliveries,
  resources,
  announcements,
  notes,
}: Omit<Erasable, 'waiting' | 'unsent'>): string =>
  [
    plural(deliveries, 'delivery', 'deliveries'),
    plural(resources, 'resource'),
    plural(announcements, 'announcement'),
    plural(notes, 'note'),
  ].join(', ');

const explain = ({ waiting, unsent }: Erasable): string =>
  waiting > 0
    ? `To be recorded: ${plural(waiting, 'event')}; erase it afterwards.`
    : `Not sent: ${plural(unsent, 'announcement')}; erase it afterwards, or these too with "unsent".`;

const taken = subjectRow.pick({ takenBy: true, takenAt: true });

type Taken = z.output<typeof taken>;

const take = defineAction({
  ...ofSubject('take'),
  id: 'takeSubject',
  summary: 'Takes a subject: shows others that you are working on it',
  description:
    'Shows others that you are working on the subject, and replaces whoever had taken it. It is released when the subject is done. 404 if nothing is known of it, 409 if it is closed and needs no attention.',
  answers: { 200: { Taken: taken } },
  problems: [404, 409],
  async run({ taking }, subject, { actor: { token, operator } }): Promise<Taken> {
    const takenBy = operator ?? token;
    const at = await taking.take(subject, takenBy);
    if (at === undefined) throw new Problem(409, 'It is over and needs no attention, so there is nothing to take.');
    return { takenBy, takenAt: new Date(at) };
  },
  audit: { action: 'take', target: onSubject },
  asksWho: true,
  back: subjectAddress,
  notices: { taken: 'Taken.' },
  button({ kind, lifecycle, attention, takenBy }, caller) {
    if (takenBy === personOf(caller) || (isOver(kind, lifecycle) && attention.length === 0)) return undefined;
    return { label: takenBy === null ? 'Take' : 'Take over', hint: 'Shows others that you are working on it' };
  },
});

const giveBack = defineAction({
  ...ofSubject('give-back'),
  id: 'giveBackSubject',
  summary: 'Releases a subject that somebody has taken',
  description:
    'Use it when you stop working on a subject before it is done. Repeating it changes nothing. 404 if nothing is known of the subject.',
  answers: { 200: { Taken: taken } },
  problems: [404],
  async run({ taking }, subject): Promise<Taken> {
    await taking.giveBack(subject);
    return { takenBy: null, takenAt: null };
  },
  audit: { action: 'give-back', target: onSubject },
  back: subjectAddress,
  notices: { 'given-back': 'Released.' },
  button: ({ takenBy }) =>
    takenBy === null ? undefined : { label: 'Give back', hint: 'Shows others that nobody is working on it' },
});

export const subjectActions: readonly SubjectAction[] = [
  refreshSubject,
  take,
  giveBack,
  releaseSubject,
  undoReleaseSubject,
  eraseSubject,
  ...noteActions,
];
