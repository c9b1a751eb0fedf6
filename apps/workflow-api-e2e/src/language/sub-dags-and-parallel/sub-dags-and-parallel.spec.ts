import { describeFixtures } from '../../support/fixtures';

describeFixtures('sub dags and parallel', __dirname);
