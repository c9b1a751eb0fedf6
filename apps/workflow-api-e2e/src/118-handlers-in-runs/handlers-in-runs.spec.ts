import { describeFixtures } from '../support/fixtures';

describeFixtures('lifecycle steps of a run', __dirname);
