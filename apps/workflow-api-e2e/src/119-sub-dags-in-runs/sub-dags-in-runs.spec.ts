import { describeFixtures } from '../support/fixtures';

describeFixtures('runs of other DAGs', __dirname);
