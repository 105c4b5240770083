/** Order of the segments of both documents, release 4010: each may follow those of a lower position, or begin its loop again. */
const positions = {
  '945': { W06: 1, N1: 2, N2: 3, N3: 4, N4: 5, N9: 6, G62: 7, NTE: 8, W27: 9, LX: 10, MAN: 11, W12: 12, W03: 20 },
  '944': { W17: 1, N1: 2, N3: 4, N4: 5, N9: 6, G62: 7, NTE: 8, W08: 9, W07: 10, W13: 14, W14: 20 },
} as const;

const loops: Readonly<Record<string, number>> = { N1: 2, LX: 10, W07: 10 };

/** References of a line have the same segment as those of the document. */
const DETAIL_REFERENCE = 13;

const needed = { '945': ['W06', 'N1', 'N9', 'G62', 'LX', 'W12', 'W03'], '944': ['W17', 'N1', 'W07', 'W14'] } as const;

/** Lists what the standard would refuse of an interchange: lengths, counts, control numbers, order and qualifiers. */
export function problemsIn(text: string): readonly string[] {
  const problems: string[] = [];
  const expect = (isTrue: boolean, problem: string) => void (isTrue || problems.push(problem));
  expect(text[104] === '>', 'ISA16 is not the component separator');
  expect(text.indexOf('~') === 105, 'ISA has not its fixed length');
  const segments = text
    .split('~\n')
    .slice(0, -1)
    .map((segment) => segment.split('*'));
  const of = (id: string) => segments.find(([name]) => name === id) ?? [];
  const [isa, gs, st, se, ge, iea] = ['ISA', 'GS', 'ST', 'SE', 'GE', 'IEA'].map(of) as [
    string[],
    string[],
    string[],
    string[],
    string[],
    string[],
  ];
  expect(/^\d{9}$/.test(isa[13] ?? '') && isa[13] === iea[2], 'interchange control numbers differ');
  expect(gs[6] === ge[2] && Number(gs[6]) === Number(isa[13]), 'group control numbers differ');
  expect(st[2] === se[2], 'set control numbers differ');
  const from = segments.indexOf(st);
  expect(Number(se[1]) === segments.indexOf(se) - from + 1, 'SE01 is not the number of segments');
  const set = st[1] as keyof typeof positions;
  const document = segments.slice(from + 1, segments.indexOf(se));
  let last = 0;
  for (const [id = '', ...elements] of document) {
    const own = (positions[set] as Readonly<Record<string, number>>)[id];
    const position = id === 'N9' && last >= 10 ? DETAIL_REFERENCE : own;
    expect(position !== undefined, `${id} is not of ${set}`);
    expect((position ?? 0) >= last || (loops[id] ?? 99) <= last, `${id} is out of order`);
    last = position ?? last;
    expect(
      elements.some((it) => it !== ''),
      `${id} is empty`,
    );
    if (id === 'N9') expect(/^(?:BM|MB|2I|LI|LT|SE)$/.test(elements[0] ?? '') && !!elements[1], `N9*${elements[0]}`);
    if (id === 'MAN') expect(elements[0] === 'CP' || /^\d{18}$/.test(elements[1] ?? ''), 'MAN*GM is no SSCC');
    if (id === 'W12') {
      const [status, ordered, shipped, difference] = [elements[0], ...elements.slice(1, 4).map(Number)];
      expect(/^(?:CC|CP|BK)$/.test(status ?? ''), `W12*${status}`);
      expect(Math.abs((ordered ?? 0) - (shipped ?? 0) - (difference ?? 0)) < 1e-9, 'W12 does not add up');
    }
    for (const amount of elements.filter((it) => /^-?[\d.]+e/i.test(it))) expect(false, `${amount} has an exponent`);
  }
  for (const id of needed[set] ?? [])
    expect(
      document.some(([name]) => name === id),
      `${id} is missing`,
    );
  return problems;
}
