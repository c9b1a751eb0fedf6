import { oneOf } from '../read/shapes';

/** One log a stream of a step, or one for both. */
export const logOutput = oneOf('separate', 'merged');
