import { enumShape } from '../../shapes/shapes';

export const logOutput = enumShape('separate', 'merged');
