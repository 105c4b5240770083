/** Reports whether this run takes its time: the project `thorough`, of the long tests. */
export const isThorough = process.env.TEST_THOROUGH === 'yes';

/** Number of cases of a property: all of them in a thorough run, else a tenth. */
export const runs = (all: number): number => (isThorough ? all : Math.ceil(all / 10));
