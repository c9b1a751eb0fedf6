-- AlterTable
ALTER TABLE "EventSubscription" ADD COLUMN     "digestSeconds" INTEGER,
ADD COLUMN     "mutedUntil" TIMESTAMP(3),
ADD COLUMN     "repeatAfterSeconds" INTEGER;
