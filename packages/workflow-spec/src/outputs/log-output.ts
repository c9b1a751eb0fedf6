import { enumShape } from '../shapes/shapes';

/** One log a stream of a step, or one for both. */
export const logOutput = enumShape('separate', 'merged');
