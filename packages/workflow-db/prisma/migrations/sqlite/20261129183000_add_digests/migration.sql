-- AlterTable
ALTER TABLE "EventSubscription" ADD COLUMN     "digestSeconds" INTEGER;
ALTER TABLE "EventSubscription" ADD COLUMN     "mutedUntil" DATETIME;
ALTER TABLE "EventSubscription" ADD COLUMN     "repeatAfterSeconds" INTEGER;
