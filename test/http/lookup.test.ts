import { expect, it } from 'vitest';
import { createLookup, type FindAddresses } from '../../src/http/lookup.ts';

const FOUND = [{ address: '192.0.2.1', family: 4 }];

/** Opens look-ups of a system in which nobody answers for names with `silent` in them. */
function open() {
  const asked: string[] = [];
  const find: FindAddresses = async (name) => {
    asked.push(name);
    if (name.includes('silent')) await new Promise(() => undefined);
    return FOUND;
  };
  return { asked, find: createLookup(find) };
}

it('gives up a name for which nobody answers', async () => {
  const { find } = open();
  const silent = find('silent.test');
  expect(await find('other.test')).toEqual(FOUND);
  await expect(silent).rejects.toMatchObject({ code: 'EAI_AGAIN' });
});

it('asks once for all who want a name at the time, or soon after', async () => {
  const { asked, find } = open();
  await Promise.all([find('other.test'), find('other.test')]);
  await find('other.test');
  expect(asked).toEqual(['other.test']);
});
