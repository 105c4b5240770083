import { expect, it } from 'vitest';
import { createSessions, SESSION_MS } from '../../../src/admin/board/session.ts';

const token = 'a-token-of-this-very-test';

it('a session ends after twelve hours, and outlives the process', () => {
  let now = 1000;
  const session = createSessions(token, () => now).open();
  const later = createSessions(token, () => now);
  expect(session).not.toContain(token);
  now += SESSION_MS - 1;
  expect(later.isOpen(session)).toBe(true);
  now += 1;
  expect(later.isOpen(session)).toBe(false);
});

it('a session of another token, or with another end, is closed', () => {
  const sessions = createSessions(token);
  const [end = '', signature = ''] = sessions.open().split('.');
  expect(createSessions(`${token}-rotated`).isOpen(`${end}.${signature}`)).toBe(false);
  expect(sessions.isOpen(`${Number(end) + 1}.${signature}`)).toBe(false);
  for (const forged of ['', '.', end, `${end}.`, `.${signature}`]) expect(sessions.isOpen(forged)).toBe(false);
});
