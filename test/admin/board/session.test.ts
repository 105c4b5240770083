import { expect, it } from 'vitest';
import type { AccessToken } from '../../../src/admin/access.ts';
import { createEndedSessions, createSessions, SESSION_MS } from '../../../src/admin/board/session.ts';
import { describeOnBoth, openIn } from '../../store/databases.ts';

const lead: AccessToken = { name: 'lead', roles: ['read', 'act'], token: 'a-token-of-this-very-test' };
const reader: AccessToken = { name: 'reader', roles: ['read'], token: 'another-token-of-this-test' };

it('a session ends after twelve hours, and outlives the process', () => {
  let now = 1000;
  const session = createSessions([lead], () => now).open(lead);
  const later = createSessions([lead], () => now);
  expect(session).not.toContain(lead.token);
  now += SESSION_MS - 1;
  expect(later.callerOf(session)).toEqual({ name: 'lead', roles: ['read', 'act'] });
  now += 1;
  expect(later.callerOf(session)).toBeUndefined();
});

it('a session is that of its token, with the roles that the token has now', () => {
  const session = createSessions([lead, reader]).open(reader);
  expect(createSessions([lead, reader]).callerOf(session)).toEqual({ name: 'reader', roles: ['read'] });
  expect(createSessions([lead]).callerOf(session)).toBeUndefined();
  const promoted = { ...reader, roles: ['read', 'bodies'] } as const;
  expect(createSessions([promoted]).callerOf(session)).toMatchObject({ roles: ['read', 'bodies'] });
});

it('a session of another token, or with another end, is closed', () => {
  const sessions = createSessions([lead]);
  const [end = '', signature = ''] = sessions.open(lead).split('.');
  expect(createSessions([{ ...lead, token: `${lead.token}-rotated` }]).callerOf(`${end}.${signature}`)).toBeUndefined();
  expect(sessions.callerOf(`${Number(end) + 1}.${signature}`)).toBeUndefined();
  for (const forged of ['', '.', end, `${end}.`, `.${signature}`]) expect(sessions.callerOf(forged)).toBeUndefined();
});

describeOnBoth('a session that was ended', (database) => {
  it('is known until it would have ended by itself', async () => {
    const { db } = await openIn(database);
    const time = { now: 0 };
    const ended = createEndedSessions({ db, now: () => time.now });
    for (const session of ['5.first', '5.first', '9.second']) await ended.add(session);
    expect(await Promise.all(['5.first', '9.second', '9.other'].map(ended.has))).toEqual([true, true, false]);
    time.now = 5;
    await ended.add('9.third');
    expect(await Promise.all(['5.first', '9.second', '9.third'].map(ended.has))).toEqual([false, true, true]);
  });
});
