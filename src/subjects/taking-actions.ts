import type { z } from 'zod';
import { personOf } from '../admin/access.ts';
import { actionsWith } from '../admin/action.ts';
import { subjectAddress } from '../admin/board/addresses.ts';
import { isOver } from '../domain/lifecycle/stage.ts';
import { Problem } from '../http/problem.ts';
import { ofSubject, onSubject } from './subject-target.ts';
import type { Taking } from './tables/taking.ts';
import type { ShownSubject } from './views/subject/read.ts';
import { subjectRow } from './views/subject/row.ts';

const taken = subjectRow.pick({ takenBy: true, takenAt: true });

type Taken = z.output<typeof taken>;

export interface TakingParts {
  readonly taking: Taking;
}

const defineAction = actionsWith<TakingParts, ShownSubject>();

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

export const takingActions = [take, giveBack];
