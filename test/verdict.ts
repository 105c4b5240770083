import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import type { Reporter, TestCase, TestModule } from 'vitest/node';

interface Verdict {
  readonly passed: number;
  readonly failed: readonly string[];
  /** Names of tests that passed only when they were tried again. */
  readonly flaky: readonly string[];
}

/**
 * Ends a run with the long files that it left out, the names of the tests that failed or were flaky, and `N passed, N failed`.
 * With a file in `TEST_VERDICT` the lines are about all runs that named it.
 */
export function createVerdict(file = process.env.TEST_VERDICT): Reporter {
  return {
    onTestRunEnd(modules, errors) {
      const earlier: Verdict[] = file !== undefined && existsSync(file) ? [JSON.parse(readFileSync(file, 'utf8'))] : [];
      const verdict = merge([...earlier, judge(modules, errors.length)]);
      if (file !== undefined) writeFileSync(file, JSON.stringify(verdict));
      console.log(`\n${[...leftOut(modules), ...describe(verdict)].join('\n')}`);
    },
  };
}

function judge(modules: readonly TestModule[], errorCount: number): Verdict {
  const tests = modules.flatMap((module) => [...module.children.allTests()]);
  const outside = Array.from({ length: errorCount }, () => 'an error outside the tests, above');
  return {
    passed: tests.filter((test) => test.result().state === 'passed').length,
    failed: [...tests.filter(hasFailed).map(nameOf), ...modules.filter(isBroken).map(pathOf), ...outside],
    flaky: tests.filter((test) => test.diagnostic()?.flaky).map(nameOf),
  };
}

const hasFailed = (test: TestCase): boolean => test.result().state === 'failed';

/** Reports whether a file failed outside its tests, when it was loaded or in a hook. */
const isBroken = (module: TestModule): boolean =>
  module.state() === 'failed' && ![...module.children.allTests()].some(hasFailed);

const pathOf = (module: TestModule): string => module.relativeModuleId;

const nameOf = (test: TestCase): string => `${pathOf(test.module)} > ${test.fullName}`;

const merge = (verdicts: readonly Verdict[]): Verdict => ({
  passed: verdicts.reduce((sum, { passed }) => sum + passed, 0),
  failed: verdicts.flatMap(({ failed }) => failed),
  flaky: verdicts.flatMap(({ flaky }) => flaky),
});

const describe = ({ passed, failed, flaky }: Verdict): string[] => [
  ...list('Passed only when tried again, so they depend on speed:', flaky),
  ...list('Failed:', failed),
  `${passed} passed, ${failed.length} failed`,
];

const list = (heading: string, names: readonly string[]): string[] =>
  names.length === 0 ? [] : [heading, ...names.map((name) => `  ${name}`)];

/** What `npm test` leaves out; a run of one project was asked for by name. */
function leftOut(modules: readonly TestModule[]): string[] {
  const names = new Set(modules.map(({ project }) => project.name));
  if (names.has('long') || !names.has('temporal') || !names.has('unit')) return [];
  const { length } = globSync('{test,proving}/**/*.long.test.ts');
  return [`Left out: ${length} files of long tests (*.long.test.ts). \`npm run test:all\` has them.`];
}
