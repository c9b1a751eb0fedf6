export { bindScoringRoutes } from './scoring-routes';
export { createScoring, type Scorers, type Scoring } from './scoring';
