import { guideTo } from '../../sandbox/demonstration/guide-board.ts';

/** Guide with a button of each sort, which does nothing. */
export const exampleGuide = guideTo({
  list: () => [
    { name: 'break', title: 'Break it', text: 'Something stops.', button: 'Break it', isTried: true },
    { name: 'look', title: 'Look at it', text: 'It is there.', button: 'Look', isTried: false, isElsewhere: true },
    {
      name: 'again',
      title: 'Repeat it',
      text: 'Again.',
      button: 'Again…',
      isTried: false,
      fields: { since: '1h' },
    },
  ],
  act: async (name) => (name === 'break' ? '/board' : undefined),
  open: (name) => (name === 'look' ? '/board' : undefined),
});
