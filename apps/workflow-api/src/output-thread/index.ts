export { createOutputEvaluator, type OutputEvaluator } from './output-evaluator';
