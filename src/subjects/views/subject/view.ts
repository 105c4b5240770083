import { defineView } from '../../../admin/views/view.ts';
import { subjectParams } from '../../subject-target.ts';
import { subjectPage } from './page.ts';
import { lifecycle, readSubject, shownSnapshot, shownSubject } from './read.ts';

export const subjectView = defineView({
  call: {
    path: '/subjects/{tenant}/{kind}/{id}',
    id: 'getSubject',
    summary: 'Shows an order or another subject with its timeline and announcements',
    tag: 'Orders',
    description:
      'Everything about one subject: its lifecycle, lines, notes, newest webhooks, announcements and GETs, all of it as it is stored. 404 if nothing is known of it.',
    role: 'read',
    row: shownSubject,
    name: 'ShownSubject',
    parts: { Lifecycle: lifecycle, Snapshot: shownSnapshot },
  },
  page: { path: '/subjects/{tenant}/{kind}/{id}', html: subjectPage },
  params: subjectParams,
  missing: 'The subject does not exist.',
  read: readSubject,
});
