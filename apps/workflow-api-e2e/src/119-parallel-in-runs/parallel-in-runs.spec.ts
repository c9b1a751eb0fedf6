import { describeFixtures } from '../support/fixtures';

describeFixtures('runs of another DAG for each item', __dirname);
