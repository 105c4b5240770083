import { defineView } from '../view.ts';
import { subjectPage } from './page.ts';
import { lifecycle, readSubject, shownSnapshot, shownSubject, subjectParams } from './read.ts';

/** Subject with everything that is known of it. */
export const subjectView = defineView({
  call: {
    path: '/subjects/{tenant}/{kind}/{id}',
    id: 'getSubject',
    summary: 'Shows an order or another subject with its timeline and announcements',
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
