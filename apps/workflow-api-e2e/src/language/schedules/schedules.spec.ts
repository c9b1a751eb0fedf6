import { describeFixtures } from '../../support/fixtures';

describeFixtures('schedules', __dirname);
