import type { Guide } from '../../src/admin/guide.ts';

/** Guide with a button of each sort, which does nothing. */
export const exampleGuide: Guide = {
  tries: (temporalUrl) => [
    { title: 'Break it', text: 'Something stops.', button: 'Break it', leads: { address: '/board/guide/break' } },
    { title: 'Look at it', text: 'It is there.', button: 'Look', leads: temporalUrl ?? 'https://temporal.test' },
    {
      title: 'Repeat it',
      text: 'Again.',
      button: 'Again…',
      leads: { address: '/board/bulk', fields: { since: '1h' } },
    },
  ],
  act: async (name) => (name === 'break' ? '/board' : undefined),
  isHidden: () => false,
  hide: () => undefined,
};
