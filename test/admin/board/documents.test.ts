import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { documentGroups, documentLink, documentNames, readDocument } from '../../../src/admin/board/documents.ts';
import { sourceOf } from '../../../src/admin/board/html.ts';
import { conditionNames, factsOf } from '../../../src/domain/health/condition.ts';
import { openTemporaryStore } from '../../store/temporary-store.ts';
import { openAdmin } from '../open-admin.ts';

const shown = new Map(documentNames.map((name) => [name, sourceOf(readDocument(name)?.content ?? fail(name))]));

function fail(name: string): never {
  throw new Error(`${name} cannot be read`);
}

describe('the documents on the board', () => {
  it('are all of the folder but those for the developers of Dockline, each in one group, and nothing beside it', () => {
    const files = readdirSync('docs').flatMap((file) => (file.endsWith('.md') ? [file.slice(0, -'.md'.length)] : []));
    const ownDevelopers = ['assumptions', 'map'];
    expect(documentNames.toSorted()).toEqual(files.filter((name) => !ownDevelopers.includes(name)).toSorted());
    expect(documentGroups.map(({ title }) => title)).toEqual(['Operate', 'Receive', 'Develop']);
    expect(['../README', 'images', '', 'constructor'].map(readDocument)).toEqual(Array(4).fill(undefined));
  });

  it.each([...shown])('lead only to what there is: %s', (_, text) => {
    for (const [, address = ''] of text.matchAll(/ href="([^"]*)"/g)) {
      if (address.startsWith('https:')) continue;
      const [, name, anchor] = /^(?:\/board\/docs\/([\w-]+))?(?:#(.*))?$/.exec(address) ?? fail(address);
      const target = name === undefined ? text : (shown.get(name) ?? fail(address));
      if (anchor !== undefined) expect(target, address).toContain(` id="${anchor}"`);
    }
  });

  it.each([...shown])('load nothing and run nothing: %s', (_, text) => {
    expect(text).not.toMatch(/<(?:script|style|img|iframe|svg)|\son\w+=|\sstyle=|javascript:/i);
  });

  it('are linked by the headings that they have', () => {
    const anchors = conditionNames.flatMap((name) => factsOf(name).runbook ?? []);
    expect(anchors).not.toEqual([]);
    for (const anchor of anchors) expect(shown.get('runbooks'), anchor).toContain(` id="${anchor}"`);
    expect(documentLink('none', 'nowhere', 'What to do')).toBe(false);
  });

  it('are pages for whoever may read', async () => {
    const { url } = await openAdmin({ store: await openTemporaryStore() });
    const page = await fetch(`${url}/board/docs/runbooks`);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('id="a-role-is-missing"')]);
    expect((await fetch(`${url}/board/docs`)).status).toBe(200);
    expect((await fetch(`${url}/board/docs/none`)).status).toBe(404);
  });
});
